import { defineConfig } from "vite";
import fetchvia from "fetchvia/vite";

// Open /__proxy__/ to send /api to another backend, without a restart.
export default defineConfig({
  plugins: [fetchvia({ prefix: "/api", target: "http://localhost:3000" })],
});
