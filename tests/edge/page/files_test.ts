import { assert, assertEquals } from "@std/assert";
import { tokenizer } from "acorn";
import { createApp } from "../../../edge/app.ts";
import { files } from "../../../edge/page/files.ts";
import { memoryStore } from "../../../edge/stores/memory_store.ts";
import { test } from "../../support/permissions.ts";

const folder = new URL("../../../edge/page/client/", import.meta.url);

Deno.test("files: page and files are at most 40 kB", async () => {
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
  assert(bytes <= 40_000, `${bytes} bytes`);
});

test("texts: are those of the folder", async () => {
  const { textsModule } = await import("../../../edge/page/build.ts");
  const made = await Deno.readTextFile(
    new URL("../../../edge/page/texts.ts", import.meta.url),
  );
  assertEquals(
    made === await textsModule(),
    true,
    "Run: deno task build:page",
  );
});

Deno.test("files: the script is whole: it imports nothing", () => {
  const text = files.get("main.js")?.text ?? "";
  const options = { ecmaVersion: "latest", sourceType: "module" } as const;
  const tokens = [...tokenizer(text, options)].map(({ type }) => type.label);
  // What is left is `import.meta`.
  const after = tokens.filter((_, index) => tokens[index - 1] === "import");
  assertEquals(after, ["."]);
});

test("files: scripts put text into the page as text only", async () => {
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".js")) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    const found =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|srcdoc|setAttribute\("(?:on|href|src|style)/
        .exec(text);
    assertEquals(found?.[0], undefined, name);
  }
});
