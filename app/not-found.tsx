export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col justify-center gap-2 px-6">
      <h1 className="text-2xl font-semibold">We can&rsquo;t find that page.</h1>
      <p>
        <a className="text-accent underline" href="/">
          Go to the start
        </a>
      </p>
    </main>
  );
}
