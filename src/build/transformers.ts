import type { BunPlugin } from "bun";

const EMPTY = "empty-module";
const EAGER_NATIVE = 'requireFromHere("onnxruntime-node")';
/** The bundler would write the path of the checkout in its place. */
const OWN_PATH = /\b__(dirname|filename)\b/g;

/**
 * Removes from transformers.js what mementor never uses: `sharp` (images) and the import of onnxruntime-node, instead of
 * which mementor passes it a runtime. Also the path of its own file, which would tell where the checkout is.
 */
export const slimTransformers: BunPlugin = {
  name: "slim-transformers",
  setup(build) {
    build.onResolve({ filter: /^sharp$/ }, ({ path }) => ({ path, namespace: EMPTY }));
    build.onLoad({ filter: /.*/, namespace: EMPTY }, () => ({
      contents: "export default {};",
      loader: "js",
    }));
    build.onLoad({ filter: /transformers\.node\.mjs$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      if (!text.includes(EAGER_NATIVE))
        throw new Error(`${path} no longer imports onnxruntime-node as expected`);
      return {
        contents: text.replace(EAGER_NATIVE, "null").replace(OWN_PATH, "import.meta.$1"),
        loader: "js",
      };
    });
  },
};
