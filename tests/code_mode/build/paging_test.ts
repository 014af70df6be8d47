import { assertEquals } from "@std/assert";
import { metered, start, wat } from "./modules.ts";

/** A module of two pages that may have eight; 16 bytes of new memory cost a unit. */
function paged() {
  const instance = start(
    metered(wat(`(module (memory (export "memory") 2 8)
      (func (export "size") (result i32) (memory.size))
      (func (export "grow") (param i32) (result i32)
        (memory.grow (local.get 0))))`)),
    1_000_000,
  );
  return {
    instance,
    size: () => instance.call("size"),
    grow: (pages: number) => instance.call("grow", pages),
    real: () => instance.memory.length / 65_536,
  };
}

Deno.test("paging: a module sees its memory grow as it would without", () => {
  const { size, grow, real } = paged();
  assertEquals(size(), { gave: 2 });
  assertEquals(grow(0), { gave: 2 });
  assertEquals(grow(3), { gave: 2 });
  assertEquals([size(), real()], [{ gave: 5 }, 5]);
  assertEquals(grow(4), { gave: -1 });
  assertEquals(grow(3), { gave: 5 });
  assertEquals(grow(1), { gave: -1 });
  assertEquals([size(), real()], [{ gave: 8 }, 8]);
});

Deno.test("paging: set back, it sees what it saw, and grows into what is there", () => {
  const { instance, size, grow, real } = paged();
  grow(5);
  instance.global("pages").value = 2;
  assertEquals(size(), { gave: 2 });
  assertEquals(grow(2), { gave: 2 });
  assertEquals([size(), real()], [{ gave: 4 }, 7]);
  assertEquals(grow(4), { gave: 4 });
  assertEquals([size(), real()], [{ gave: 8 }, 8]);
});

Deno.test("paging: the host's limit is held, also where the memory is there already", () => {
  const { instance, size, grow } = paged();
  grow(6);
  instance.global("pages").value = 2;
  instance.global("page_limit").value = 4;
  for (const pages of [3, 6, -1, 2 ** 31 - 1, -(2 ** 31)]) {
    assertEquals(grow(pages), { gave: -1 }, `${pages}`);
  }
  assertEquals(grow(2), { gave: 2 });
  assertEquals(grow(1), { gave: -1 });
  instance.global("page_limit").value = 3;
  assertEquals(grow(0), { gave: -1 });
  assertEquals(size(), { gave: 4 });
});

Deno.test("paging: a limit beyond the memory's maximum gives no more than that", () => {
  const { instance, size, grow } = paged();
  instance.global("page_limit").value = 100;
  assertEquals(grow(7), { gave: -1 });
  assertEquals([size(), grow(6), size()], [{ gave: 2 }, { gave: 2 }, {
    gave: 8,
  }]);
});

Deno.test("paging: new pages cost what filling them costs, refused ones nothing", () => {
  const { instance, grow } = paged();
  const before = instance.fuel;
  grow(100);
  assertEquals(instance.fuel, before);
  grow(3);
  assertEquals(before - instance.fuel, 3 * 65_536 / 16);
  instance.fuel = 4095;
  assertEquals(grow(1), { trap: "unreachable" });
});
