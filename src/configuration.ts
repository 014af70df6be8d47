/**
 * What an agent is, and the one check of it.
 *
 * @module
 */

import {
  type BackendName,
  backendNames,
  type ModelSettings,
  reasoningEfforts,
} from "./backends/backend.ts";
import type { Budget } from "./budget.ts";
import { budgetProblems } from "./budget_check.ts";
import type { Problem } from "./failure.ts";
import { isRecord } from "./json.ts";
import { oneOf, unknownFields, unless } from "./field_check.ts";
import { type Surface, surfaces } from "./receipt.ts";
import type { HostTool } from "./tools/host_tool.ts";

/**
 * What an agent is: plain JSON, to be stored or sent.
 *
 * @example
 * ```ts
 * import type { AgentConfiguration } from "@nanocode/wasm";
 *
 * const config: AgentConfiguration = {
 *   backend: "anthropic",
 *   model: "claude-sonnet-4-5",
 *   instructions: "Answer in one sentence.",
 *   maxOutputTokens: 1000,
 *   budget: { steps: 8, callMs: 10_000 },
 * };
 * ```
 */
export type AgentConfiguration = ModelSettings & {
  /** The provider's wire. */
  readonly backend: BackendName;
  /** The model, by the provider's name for it. */
  readonly model: string;
  /** What the model is told before the conversation. */
  readonly instructions?: string | undefined;
  /** The host's tools; at most 128. */
  readonly tools?: readonly HostTool[] | undefined;
  /**
   * How the model may call them: each by itself, from code that it writes, or
   * both, as where nothing is said.
   */
  readonly surfaces?: readonly Surface[] | undefined;
  /** Limits of each turn; the defaults stand for what is left out. */
  readonly budget?: Partial<Budget> | undefined;
};

const configurationFields: ReadonlySet<string> = new Set([
  "backend",
  "model",
  "instructions",
  "tools",
  "surfaces",
  "budget",
  "maxOutputTokens",
  "reasoningEffort",
]);

/** What is wrong with a configuration, but for its tools. */
export function configurationProblems(config: unknown): Problem[] {
  const given = givenConfigurationProblems(config);
  return isRecord(config)
    ? [
      ...oneOf(config.backend, backendNames, "backend"),
      ...filledText(config.model, "model"),
      ...given,
    ]
    : given;
}

/** As {@link configurationProblems}, where no model is asked and none needed. */
export function givenConfigurationProblems(config: unknown): Problem[] {
  if (!isRecord(config)) {
    return [{ path: "config", reason: "expected an object" }];
  }
  return [
    ...unknownFields(config, configurationFields, ""),
    ...(config.instructions === undefined
      ? []
      : filledText(config.instructions, "instructions")),
    ...surfaceProblems(config.surfaces),
    ...settingProblems(config),
    ...budgetProblems(config.budget, "budget"),
  ];
}

function filledText(value: unknown, path: string): Problem[] {
  return typeof value === "string" && value.trim() !== ""
    ? []
    : [{ path, reason: "expected a string that is not empty" }];
}

function surfaceProblems(value: unknown): Problem[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0) {
    return [{
      path: "surfaces",
      reason: 'expected an array such as ["direct"]',
    }];
  }
  // `flatMap` alone would pass over holes.
  return [...value].flatMap((surface: unknown, index) => {
    const path = `surfaces[${index}]`;
    const problems = oneOf(surface, surfaces, path);
    if (problems.length > 0) return problems;
    return value.indexOf(surface) < index
      ? [{ path, reason: `"${surface}" stands twice` }]
      : [];
  });
}

function settingProblems(config: Record<string, unknown>): Problem[] {
  const { maxOutputTokens, reasoningEffort } = config;
  return [
    ...unless(
      maxOutputTokens === undefined ||
        typeof maxOutputTokens === "number" &&
          Number.isInteger(maxOutputTokens) &&
          maxOutputTokens >= 1 && maxOutputTokens <= 1e7,
      "maxOutputTokens",
      "expected a whole number from 1 to 10000000",
    ),
    ...(reasoningEffort === undefined
      ? []
      : oneOf(reasoningEffort, reasoningEfforts, "reasoningEffort")),
  ];
}
