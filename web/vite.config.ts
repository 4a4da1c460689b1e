import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";
import type { Plugin } from "vite";

/** Write a compressed copy of every text file, so that the house need not compress anything. */
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

/** Preload the fonts, so that no text jumps when they arrive. */
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

/**
 * List the files that a table needs: the page's, each game's, and its messages in each language. The house sends the
 * list with the page, so that the browser fetches all at once instead of discovering them one by one.
 */
function hints(): Plugin {
  const PARTS = /(?:src\/pages\/(Table)\.svelte|src\/games\/(\w+)\/index\.ts|\/games\/(\w+)\/messages\/(\w+)\.json)$/;
  return {
    name: "hints",
    apply: "build",
    generateBundle(_, bundle) {
      const reached = (file: string, found = new Set<string>()): Set<string> => {
        const chunk = bundle[file];
        if (chunk?.type !== "chunk" || found.has(file)) return found;
        found.add(file);
        for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
        for (const next of chunk.imports) reached(next, found);
        return found;
      };
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const known = reached(chunks.find((chunk) => chunk.isEntry)!.fileName);
      const told: Record<string, string[]> = {};
      for (const chunk of chunks) {
        const [, table, game, words, lang] = chunk.moduleIds.map((id) => PARTS.exec(id)).find(Boolean) ?? [];
        const part = table ?? game ?? (lang && `${lang}/${words}`);
        if (part) (told[part] ??= []).push(...[...reached(chunk.fileName)].filter((file) => !known.has(file)));
      }
      this.emitFile({ type: "asset", fileName: "hints.json", source: JSON.stringify(told) });
    },
  };
}

/** Write the licences of all packages of which something is in the app: scripts, styles and fonts. */
function licences(): Plugin {
  return {
    name: "licences",
    apply: "build",
    generateBundle(_, bundle) {
      const used = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : file.originalFileNames));
      const names = new Set(used.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
      const texts = [...names].sort().map((name) => {
        const folder = join("node_modules", name);
        const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
        const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
        if (!file) throw new Error(`${name} has no licence text`);
        return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
      });
      this.emitFile({ type: "asset", fileName: "licenses.txt", source: texts.join(`\n${"-".repeat(80)}\n\n`) });
    },
  };
}

/** Leave out messages that only the Python side uses: errors, reports, the terminal. */
function ownWords(): Plugin {
  return {
    name: "own-words",
    enforce: "pre",
    transform(code, id) {
      const game = /registan\/games\/(\w+)\/messages\/\w+\.json$/.exec(id)?.[1];
      if (!game) return null;
      const own = Object.entries(JSON.parse(code) as Record<string, string>).filter(([key]) => key.startsWith(`${game}.`));
      return { code: JSON.stringify(Object.fromEntries(own)), map: null };
    },
  };
}

/** Few files: on a slow network, another request takes longer than another kilobyte. */
const GAME = /\/src\/games\/(\w+)\/(?!aid|figures|AidPicture|Cover|messages|workshop)/;
const GROUPS = [
  { name: "shared", test: /node_modules\/(svelte|clsx|esm-env)\/|preload-helper|\/src\/lib\/|\/src\/ui\/Face\.svelte|messages\/\w+\/(web|phrases)\.json$/ },
  { name: "table", test: /\/src\/(pages\/Table|ui\/(Aid|Chat|Check|Clock|Cover|Curve|Deal|End|Later|Log|Missing|Paused|Player|Proposal|Side|Stage|TableBar)\.svelte|ui\/icons\.ts)/ },
  // The board of a game in one file, although the rules draw with parts of it.
  { name: (id: string) => GAME.exec(id)?.[1] ?? null, test: GAME },
];

export default defineConfig({
  plugins: [svelte(), svelteTesting(), ownWords(), fontsFirst(), hints(), licences(), compressed()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS, includeDependenciesRecursively: false } } },
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://127.0.0.1:8137", ws: true } },
  },
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
});
