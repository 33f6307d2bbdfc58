export const findingTypes = [
  'supported-actions',
  'service-limits',
  'structure',
  'expression-syntax',
  'data-type',
  'referenced-data',
  'referenced-resource',
] as const
export type FindingType = (typeof findingTypes)[number]
export type Level = 'INFO' | 'WARNING' | 'ERROR'

/** One result of an analysis. */
export interface Finding {
  readonly type: FindingType
  readonly level: Level
  readonly message: string
  /** Location in the definition, such as `states[0].onInput.events[1].condition`. */
  readonly locations: readonly { readonly path: string }[]
}

export const finding = (type: FindingType, level: Level, message: string, ...paths: string[]): Finding => ({
  type,
  level,
  message,
  locations: paths.map((path) => ({ path })),
})

/** Findings of level ERROR as details of a refusal. */
export const refusals = (findings: readonly Finding[], root: string): readonly { at: string; message: string }[] =>
  findings
    .filter(({ level }) => level === 'ERROR')
    .map(({ message, locations }) => ({ at: [root, locations[0]?.path ?? []].flat().join('/'), message }))
