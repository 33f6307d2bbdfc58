/** BIO labels: 0 is outside, 2k+1 begins kind k, 2k+2 continues it. */
export const begins = (kind: number): number => 2 * kind + 1
export const goesOn = (kind: number): number => 2 * kind + 2

/** The label that enters a state: outside, or the beginning of a kind. */
export const start = (state: number): number => (state === 0 ? 0 : 2 * state - 1)
export const stateOf = (label: number): number => (label + 1) >> 1
