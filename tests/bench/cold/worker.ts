/**
 * A Worker whose first request is timed. A local clock moves while code
 * computes; a deployed one does not.
 *
 * @module
 */

import engine from "../../../edge/engine.js";
import { runFirstCells } from "./first_cells.ts";

export default {
  async fetch(): Promise<Response> {
    return Response.json(await runFirstCells(engine));
  },
};
