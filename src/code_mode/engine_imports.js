/**
 * Stands where the engine's imports are looked for by tools that follow them.
 * Whoever makes an instance gives functions of its own.
 *
 * @module
 */

function absent() {
  throw new Error(
    "The engine runs only with the sandbox's imports: hand the compiled module to open() as options.wasm",
  );
}

export {
  absent as clock_time_get,
  absent as fd_close,
  absent as fd_fdstat_get,
  absent as fd_seek,
  absent as fd_write,
  absent as host_call,
  absent as host_get_timezone_offset,
  absent as host_interrupt,
  absent as host_module_load,
  absent as host_module_normalize,
  absent as host_promise_rejection,
  absent as random_get,
};
