const notFound = () => Response.json({ error: "not found" }, { status: 404 });

export {
  notFound as DELETE,
  notFound as GET,
  notFound as PATCH,
  notFound as POST,
  notFound as PUT,
};
