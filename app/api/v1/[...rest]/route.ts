import { refused } from "@/lib/http/refused";

// What is no path of the interface.
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refused;
