// Makes `age.js` of the packages that `package-lock.json` pins: always the same bytes.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

await build({
  entryPoints: ["entry.js"],
  outfile: "age.js",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  // A packet is a copy of these packages: their licences go with it.
  banner: { js: `/*\n${readFileSync("LICENSE", "utf8")}*/` },
  alias: {
    "@noble/curves/ed25519.js": "./x25519.js",
    "@noble/curves/nist.js": "./absent.js",
    "@noble/post-quantum/hybrid.js": "./absent.js",
  },
});
