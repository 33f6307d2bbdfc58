import type { Line } from './line.ts'

export const noTrunk =
  'Nobody can be called, because this platform has no SIP trunk: its operator sets ICOSA_VOICE_TRUNK.'

/** For calls that wait on a node without a trunk: another node, or this one later, may have one. */
export const noLine: Line = async () => ({ kind: 'failed', reason: noTrunk, final: false })
