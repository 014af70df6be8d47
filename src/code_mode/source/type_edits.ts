/**
 * The edits that turn a tree with types into one without.
 *
 * @module
 */

import {
  childrenOf,
  isNode,
  nodeIn,
  nodesIn,
  type SyntaxNode,
} from "../syntax/syntax_tree.ts";
import { type Edit, erasure } from "./edits.ts";
import { enumEdits, parameterProperties } from "./emitted_types.ts";
import {
  asExpression,
  assertion,
  classHead,
  member,
  nodeMark,
  parameters,
  signature,
  specifier,
} from "./type_places.ts";

/** The edits, or what has no counterpart in JavaScript. */
export type TypeEdits =
  | { readonly tag: "edits"; readonly edits: readonly Edit[] }
  | {
    readonly tag: "unsupported";
    readonly reason: string;
    readonly offset: number;
  };

const WHOLE = new Set([
  "TSDeclareFunction",
  "TSIndexSignature",
  "TSInterfaceDeclaration",
  "TSNamespaceExportDeclaration",
  "TSTypeAliasDeclaration",
]);

const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  [
    "TSImportEqualsDeclaration",
    "`import =` has no meaning here: there are no modules",
  ],
  [
    "TSExportAssignment",
    "`export =` has no meaning here: there are no modules",
  ],
  ["TSModuleDeclaration", "`namespace` is not supported: use an object"],
  ["Decorator", "Decorators are not supported: call the function yourself"],
]);

/** Fields that hold nothing but types. */
const TYPE_FIELDS = [
  "returnType",
  "superTypeArguments",
  "superTypeParameters",
  "typeAnnotation",
  "typeArguments",
  "typeParameters",
];

/** Finds every type below `block`. */
export function typeEdits(text: string, block: SyntaxNode): TypeEdits {
  const edits: Edit[] = [];
  const pending = [block];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isTypeOnly(node)) {
      edits.push(erasure(text, node.start, node.end, ";"));
      continue;
    }
    const reason = UNSUPPORTED.get(node.type);
    if (reason !== undefined) {
      return { tag: "unsupported", reason, offset: node.start };
    }
    edits.push(...editsOf(text, node));
    for (const child of childrenOf(node)) {
      if (!isType(child)) pending.push(child);
    }
  }
  return { tag: "edits", edits };
}

/** Whether nothing of the statement or class member is left at run time. */
function isTypeOnly(node: SyntaxNode): boolean {
  if (WHOLE.has(node.type) || node["declare"] === true) return true;
  switch (node.type) {
    case "ExportAllDeclaration":
    case "ExportDefaultDeclaration":
    case "ExportNamedDeclaration": {
      const declaration = nodeIn(node["declaration"]);
      return node["exportKind"] === "type" ||
        declaration !== undefined && isTypeOnly(declaration);
    }
    case "ImportDeclaration": {
      const specifiers = nodesIn(node["specifiers"]);
      return node["importKind"] === "type" ||
        specifiers.length > 0 &&
          specifiers.every((each) => each["importKind"] === "type");
    }
    case "MethodDefinition":
    case "PropertyDefinition":
      return node["abstract"] === true ||
        nodeIn(node["value"])?.type === "TSDeclareMethod";
    default:
      return false;
  }
}

/** Whether `node` is a type; some nodes named like one hold code. */
function isType({ type }: SyntaxNode): boolean {
  return type.startsWith("TS") && !type.endsWith("Declaration") &&
    !CARRIERS.has(type) && !WHOLE.has(type);
}

const CARRIERS = new Set([
  "TSAsExpression",
  "TSEnumMember",
  "TSExportAssignment",
  "TSInstantiationExpression",
  "TSNonNullExpression",
  "TSParameterProperty",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

function editsOf(text: string, node: SyntaxNode): Edit[] {
  return [
    ...special(text, node),
    ...nodeMark(text, node),
    ...types(text, node),
  ];
}

function types(text: string, node: SyntaxNode): Edit[] {
  if (node.type === "ArrowFunctionExpression") return signature(text, node);
  if (node.type.startsWith("TS") && node.type !== "TSInstantiationExpression") {
    return [];
  }
  return TYPE_FIELDS.map((field) => node[field]).filter(isNode)
    .map(({ start, end }) => erasure(text, start, end));
}

function special(text: string, node: SyntaxNode): Edit[] {
  switch (node.type) {
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return asExpression(text, node);
    case "TSNonNullExpression":
      return [erasure(text, node.end - 1, node.end)];
    case "TSTypeAssertion":
      return assertion(text, node);
    case "TSEnumDeclaration":
      return enumEdits(text, node);
    case "ExportSpecifier":
      return specifier(text, node);
    case "ClassDeclaration":
    case "ClassExpression":
      return [...classHead(text, node), ...parameterProperties(text, node)];
    case "MethodDefinition":
    case "PropertyDefinition":
    case "TSParameterProperty":
      return member(text, node);
    case "FunctionDeclaration":
    case "FunctionExpression":
      return parameters(text, node);
    default:
      return [];
  }
}
