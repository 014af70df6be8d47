/**
 * The example agent on Deno Deploy, which runs a module that serves.
 *
 * @module
 */

import server from "./deno.ts";

if (import.meta.main) Deno.serve((request) => server.fetch(request));
