import type { BunPlugin } from "bun";

const EMPTY = "empty-module";
const EAGER_NATIVE = 'requireFromHere("onnxruntime-node")';

/**
 * Removes from transformers.js what mementor never uses: `sharp` (images) and the import of onnxruntime-node.
 * mementor passes it a runtime instead.
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
      return { contents: text.replace(EAGER_NATIVE, "null"), loader: "js" };
    });
  },
};
