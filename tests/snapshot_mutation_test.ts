import {
  assert,
  assertInstanceOf,
  assertMatch,
  assertRejects,
  assertStrictEquals,
  fail,
} from "@std/assert";
import { type BackendName, backendNames } from "../src/backends/backend.ts";
import { HostFailure } from "../src/failure.ts";
import { open } from "../src/open.ts";
import { checkSnapshot } from "../src/snapshot.ts";
import { manualAmbient, seededRandom } from "./support/ambient.ts";
import { mutated } from "./support/mutation.ts";
import { snapshotFor } from "./support/snapshot.ts";

/** Opens an agent with the snapshot, whatever it is, and lets it go on. */
async function goOn(backend: BackendName, snapshot: unknown): Promise<void> {
  await using agent = await open(
    { backend, model: "m", surfaces: ["direct"] },
    {
      ...manualAmbient(),
      apiKey: "key",
      fetch: () => Promise.resolve(new Response("{}", { status: 400 })),
      snapshot: Object(snapshot),
    },
  );
  assert(agent.receipts.every(({ outcome }) => outcome !== undefined));
  const again = checkSnapshot(agent.snapshot(), backend);
  if (again.tag === "refused") fail(JSON.stringify(again.problems));
  const turn = agent.resume() ?? agent.prompt("Go on");
  const failure = await assertRejects(() => turn.result(), HostFailure);
  assertStrictEquals(failure.kind, "backend");
  const after = checkSnapshot(agent.snapshot(), backend);
  if (after.tag === "refused") fail(JSON.stringify(after.problems));
}

for (const backend of backendNames) {
  Deno.test(`open: takes any mutation of a snapshot of ${backend}, or says where it is wrong`, async () => {
    const random = seededRandom(backend.length);
    const counts = { taken: 0, refused: 0 };
    await goOn(backend, snapshotFor(backend));
    for (let round = 0; round < 600; round++) {
      const mutant = mutated(snapshotFor(backend), random);
      try {
        await goOn(backend, mutant);
        counts.taken++;
      } catch (thrown) {
        const text = JSON.stringify(mutant);
        assertInstanceOf(thrown, HostFailure, `${thrown} for ${text}`);
        assertStrictEquals(thrown.kind, "configuration", text);
        assertMatch(
          thrown.message,
          /^- options\.snapshot[^:]*: expected /m,
          text,
        );
        for (const { path } of thrown.problems) {
          assert(path.startsWith("options.snapshot"), path);
        }
        counts.refused++;
      }
    }
    assert(counts.taken > 50 && counts.refused > 200, JSON.stringify(counts));
  });
}
