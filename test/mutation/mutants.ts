import { parse } from "@babel/parser";

/** One small change of a source file. */
export interface Mutant {
  /** Offsets of what is replaced, UTF-16 code units. */
  start: number;
  end: number;
  replacement: string;
  /** Line of the change, from 1. */
  line: number;
}

/** A node of the syntax tree, of which only some fields are looked at. */
type AnyNode = Record<string, unknown> & { type: string; start: number; end: number };

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": ["<<"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "++": ["--"],
  "--": ["++"],
};

const METHODS: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  startsWith: "endsWith",
  endsWith: "startsWith",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
  toSorted: "slice",
};

/** Lists every mutant of a TypeScript source: operators, conditions, numbers, booleans, results and statements. */
export function mutantsOf(source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const add = (start: number, end: number, replacement: string) => {
    if (source.slice(start, end) === replacement) return;
    mutants.push({ start, end, replacement, line: source.slice(0, start).split("\n").length });
  };
  const { program } = parse(source, { sourceType: "module", plugins: ["typescript"] });
  if (!isNode(program)) throw new Error("the parser gave no program");
  visit(program, (node) => {
    mutateOperator(source, node, add);
    mutateCondition(node, add);
    mutateValue(source, node, add);
    mutateStatement(node, add);
  });
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

export function applyMutant(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

type Add = (start: number, end: number, replacement: string) => void;

function mutateOperator(source: string, node: AnyNode, add: Add): void {
  const { operator } = node;
  if (typeof operator !== "string") return;
  if (node.type === "UnaryExpression") {
    if (operator === "!" || operator === "-") add(node.start, node.start + 1, "");
    return;
  }
  const [left, right] = [node.left, node.right].map((side) => (isNode(side) ? side : null));
  const from = left?.end ?? (node.prefix ? node.start : node.end - operator.length);
  const at = operatorAt(source, operator, from, right?.start ?? node.end);
  if (at < 0) return;
  for (const other of OPERATORS[operator] ?? []) add(at, at + operator.length, other);
}

/** Where an operator stands between its two sides; comments between them are rare and not looked into. */
function operatorAt(source: string, operator: string, from: number, to: number): number {
  const at = source.indexOf(operator, from);
  return at >= 0 && at + operator.length <= to ? at : -1;
}

function mutateCondition(node: AnyNode, add: Add): void {
  const { test, type } = node;
  if (!isNode(test)) return;
  // A loop that never ends tells nothing that one that never begins does not.
  const isLoop = type === "WhileStatement" || type === "ForStatement" || type === "DoWhileStatement";
  if (type === "SwitchCase") return;
  add(test.start, test.end, "false");
  if (!isLoop) add(test.start, test.end, "true");
}

function mutateValue(source: string, node: AnyNode, add: Add): void {
  if (node.type === "BooleanLiteral") add(node.start, node.end, String(node.value !== true));
  if (node.type === "NumericLiteral" && typeof node.value === "number") {
    const { value } = node;
    add(node.start, node.end, Number.isInteger(value) && value <= 3 ? `${value + 1}` : `${value / 10}`);
  }
  if (node.type !== "CallExpression" || !isNode(node.callee)) return;
  const { property } = node.callee;
  if (!isNode(property) || property.type !== "Identifier") return;
  const other = METHODS[source.slice(property.start, property.end)];
  if (other !== undefined) add(property.start, property.end, other);
}

/** A function that returns nothing, or leaves out one of its steps. */
function mutateStatement(node: AnyNode, add: Add): void {
  if (node.type === "ReturnStatement" && isNode(node.argument))
    add(node.argument.start, node.argument.end, "undefined as never");
  if (node.type === "ArrowFunctionExpression" && isNode(node.body) && node.body.type !== "BlockStatement")
    add(node.body.start, node.body.end, "undefined as never");
  if (node.type === "ExpressionStatement") add(node.start, node.end, ";");
}

const NO_VALUE = /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|^ImportDeclaration$/;

/** Calls back for every node of values; types have nothing to change. */
function visit(node: AnyNode, found: (node: AnyNode) => void): void {
  if (NO_VALUE.test(node.type)) return;
  found(node);
  for (const [key, value] of Object.entries(node)) {
    if (key === "loc" || key === "typeAnnotation" || key === "extra") continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, found);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
