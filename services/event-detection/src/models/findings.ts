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

/** One result of an analysis, as clients read it. */
export interface Finding {
  readonly type: FindingType
  readonly level: Level
  readonly message: string
  /** Where in the definition, such as `states[0].onInput.events[1].condition`. */
  readonly locations: readonly { readonly path: string }[]
}

export const finding = (type: FindingType, level: Level, message: string, ...paths: string[]): Finding => ({
  type,
  level,
  message,
  locations: paths.map((path) => ({ path })),
})

/** The findings for which a model is refused, in the form of a refusal. */
export const refusals = (findings: readonly Finding[], root: string): readonly { at: string; message: string }[] =>
  findings
    .filter(({ level }) => level === 'ERROR')
    .map(({ message, locations }) => ({ at: [root, locations[0]?.path ?? []].flat().join('/'), message }))
