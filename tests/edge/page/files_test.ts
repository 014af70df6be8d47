import { assert, assertEquals } from "@std/assert";
import { tokenizer } from "acorn";
import { createApp } from "../../../edge/app.ts";
import { textsModule } from "../../../edge/page/build.ts";
import { files, scripts } from "../../../edge/page/files.ts";
import { memoryStore } from "../../../edge/stores/memory_store.ts";

const folder = new URL("../../../edge/page/client/", import.meta.url);

function source(name: string): Promise<string> {
  return Deno.readTextFile(new URL(name, folder));
}

/** A script's tokens: all of it but comments and spaces. */
function tokensOf(text: string): string[] {
  const options = { ecmaVersion: "latest", sourceType: "module" } as const;
  return [...tokenizer(text, options)].map(({ start, end }) =>
    text.slice(start, end)
  );
}

Deno.test("files: page and files are at most 60 kB", async () => {
  const app = createApp<object>({
    config: { backend: "openai", model: "gpt-5" },
    options: () => ({ apiKey: "key" }),
    sessions: { store: memoryStore() },
    auth: () => ({ off: "everybody may use this" }),
  });
  let bytes = (await (await app.request("/")).bytes()).length;
  for (const { text } of files.values()) {
    bytes += new TextEncoder().encode(text).length;
  }
  assert(bytes <= 60_000, `${bytes} bytes`);
});

Deno.test("texts: are those of the folder", async () => {
  const made = await Deno.readTextFile(
    new URL("../../../edge/page/texts.ts", import.meta.url),
  );
  assertEquals(
    made === await textsModule(),
    true,
    "Run: deno task build:page",
  );
});

Deno.test("files: a served script is its source without comments", async () => {
  for (const name of scripts) {
    const text = files.get(name)?.text ?? "";
    assertEquals(tokensOf(text), tokensOf(await source(name)), name);
    assert(!text.includes("@param"), name);
  }
});

Deno.test("files: scripts import only what is served", async () => {
  for (const name of scripts) {
    const imports = (await source(name)).matchAll(/^import .* from "(.*)";$/gm);
    for (const [, from = ""] of imports) {
      assert(scripts.includes(from.replace("./", "")), `${name}: ${from}`);
    }
  }
});

Deno.test("files: scripts put text into the page as text only", async () => {
  for (const name of scripts) {
    const text = await source(name);
    const found =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|srcdoc|setAttribute\("(?:on|href|src|style)/
        .exec(text);
    assertEquals(found?.[0], undefined, name);
  }
});
