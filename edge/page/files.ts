/**
 * The page's files, as they are served.
 *
 * @module
 */

import { texts } from "./texts.ts";

/** A file as it is served. */
export type PageFile = { readonly type: string; readonly text: string };

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** The files by name. */
export const files: ReadonlyMap<string, PageFile> = new Map(
  Object.entries(texts).map(([name, text]) => {
    const type = types[name.slice(name.lastIndexOf(".") + 1)];
    if (type === undefined) throw new Error(`No type is known for ${name}`);
    return [name, { type, text }];
  }),
);
