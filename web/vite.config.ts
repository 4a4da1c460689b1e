import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";
import type { Plugin } from "vite";

/** Lay a compressed copy beside every text file, so that the house need not compress anything itself. */
function compressed(): Plugin {
  const walk = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? walk(path) : [path];
    });
  return {
    name: "compressed",
    apply: "build",
    writeBundle() {
      for (const path of walk("dist").filter((p) => /\.(html|js|css|svg|json|webmanifest)$/.test(p))) {
        const data = readFileSync(path);
        if (data.length < 512) continue;
        writeFileSync(`${path}.gz`, gzipSync(data, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      }
    },
  };
}

/** Ask for the fonts at once, so that no text jumps when they come. */
function fontsFirst(): Plugin {
  return {
    name: "fonts-first",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_, context) =>
        Object.keys(context.bundle ?? {})
          .filter((file) => file.endsWith(".woff2"))
          .map((file) => ({
            tag: "link",
            injectTo: "head" as const,
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: true },
          })),
    },
  };
}

export default defineConfig({
  plugins: [svelte(), svelteTesting(), fontsFirst(), compressed()],
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://127.0.0.1:8137", ws: true } },
  },
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
});
