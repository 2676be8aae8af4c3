// Stands for packages that only guard Next's bundles, such as server-only.
export {};
