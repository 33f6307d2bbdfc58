import type { Line } from './line.ts'

export const noTrunk =
  'Calls are impossible, because this platform has no SIP trunk: ask the operator to set ICOSA_VOICE_TRUNK.'

/** Fails retryably: another node, or this one later, may have a trunk. */
export const noLine: Line = async () => ({ kind: 'failed', reason: noTrunk, final: false })
