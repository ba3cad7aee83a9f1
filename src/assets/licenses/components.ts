import highlight from "../../../node_modules/@highlightjs/cdn-assets/LICENSE" with { type: "text" };
import tokenizers from "../../../node_modules/@huggingface/tokenizers/LICENSE" with { type: "text" };
import mcp from "../../../node_modules/@modelcontextprotocol/sdk/LICENSE" with { type: "text" };
import toJsonSchema from "../../../node_modules/@valibot/to-json-schema/LICENSE.md" with { type: "text" };
import ajv from "../../../node_modules/ajv/LICENSE" with { type: "text" };
import ajvFormats from "../../../node_modules/ajv-formats/LICENSE" with { type: "text" };
import cac from "../../../node_modules/cac/LICENSE" with { type: "text" };
import fastDeepEqual from "../../../node_modules/fast-deep-equal/LICENSE" with { type: "text" };
import fastUri from "../../../node_modules/fast-uri/LICENSE" with { type: "text" };
import flatbuffers from "../../../node_modules/flatbuffers/LICENSE" with { type: "text" };
import jsonSchemaTraverse from "../../../node_modules/json-schema-traverse/LICENSE" with { type: "text" };
import jsoncParser from "../../../node_modules/jsonc-parser/LICENSE.md" with { type: "text" };
import long from "../../../node_modules/long/LICENSE" with { type: "text" };
import platform from "../../../node_modules/platform/LICENSE" with { type: "text" };
import protobuf from "../../../node_modules/protobufjs/LICENSE" with { type: "text" };
import valibot from "../../../node_modules/valibot/LICENSE.md" with { type: "text" };
import zod from "../../../node_modules/zod/LICENSE" with { type: "text" };
import zodToJsonSchema from "../../../node_modules/zod-to-json-schema/LICENSE" with { type: "text" };
import model from "../model/bge-small-en-v1.5/LICENSE" with { type: "text" };
import apache from "./texts/apache-2.0.txt" with { type: "text" };
import bun from "./texts/bun.txt" with { type: "text" };
import bunLinked from "./texts/bun-linked.txt" with { type: "text" };
import lgpl20 from "./texts/lgpl-2.0.txt" with { type: "text" };
import lgpl21 from "./texts/lgpl-2.1.txt" with { type: "text" };
import onnxruntime from "./texts/onnxruntime.txt" with { type: "text" };
import onnxruntimeThirdParty from "./texts/onnxruntime-third-party.txt" with { type: "text" };
import sqliteVec from "./texts/sqlite-vec.txt" with { type: "text" };

/** A part of the binary and its licence. */
export interface Component {
  name: string;
  license: string;
  text: string;
}

const PUBLIC_DOMAIN = "SQLite is in the public domain: https://www.sqlite.org/copyright.html";
const ISC_GUID = "guid-typescript is under the ISC license: https://www.npmjs.com/package/guid-typescript";

/** Everything that the binary contains in addition to mementor itself. */
export const COMPONENTS: readonly Component[] = [
  { name: "Bun", license: "MIT; JavaScriptCore: LGPL 2", text: bun },
  { name: "Libraries that Bun links", license: "several", text: bunLinked },
  { name: "SQLite (in Bun)", license: "public domain", text: PUBLIC_DOMAIN },
  { name: "ONNX Runtime (onnxruntime-node, -web, -common)", license: "MIT", text: onnxruntime },
  { name: "Third-party notices of ONNX Runtime", license: "several", text: onnxruntimeThirdParty },
  { name: "@huggingface/tokenizers", license: "Apache 2.0", text: tokenizers },
  { name: "sqlite-vec", license: "MIT or Apache 2.0", text: sqliteVec },
  { name: "bge-small-en-v1.5 (BAAI; int8 weights by Xenova)", license: "MIT", text: model },
  { name: "cac", license: "MIT", text: cac },
  { name: "jsonc-parser", license: "MIT", text: jsoncParser },
  { name: "highlight.js (@highlightjs/cdn-assets)", license: "BSD 3-Clause", text: highlight },
  { name: "valibot", license: "MIT", text: valibot },
  { name: "@valibot/to-json-schema", license: "MIT", text: toJsonSchema },
  { name: "@modelcontextprotocol/sdk", license: "MIT", text: mcp },
  { name: "zod", license: "MIT", text: zod },
  { name: "zod-to-json-schema", license: "ISC", text: zodToJsonSchema },
  { name: "ajv", license: "MIT", text: ajv },
  { name: "ajv-formats", license: "MIT", text: ajvFormats },
  { name: "fast-deep-equal", license: "MIT", text: fastDeepEqual },
  { name: "fast-uri", license: "BSD 3-Clause", text: fastUri },
  { name: "json-schema-traverse", license: "MIT", text: jsonSchemaTraverse },
  { name: "flatbuffers", license: "Apache 2.0", text: flatbuffers },
  { name: "long", license: "Apache 2.0", text: long },
  { name: "platform", license: "MIT", text: platform },
  { name: "protobufjs", license: "BSD 3-Clause", text: protobuf },
  { name: "guid-typescript", license: "ISC", text: ISC_GUID },
  { name: "Apache License 2.0", license: "text", text: apache },
  { name: "GNU Library General Public License 2", license: "text", text: lgpl20 },
  { name: "GNU Lesser General Public License 2.1", license: "text", text: lgpl21 },
];
