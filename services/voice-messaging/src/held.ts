import type { OnStop, Platform } from '@icosa/kernel'
import { type Board, newBoard } from './calls/board.ts'
import type { Line } from './calls/line.ts'
import { sinkLine } from './calls/sink.ts'
import { openTrunk } from './calls/trunk.ts'
import type { VoiceSettings } from './settings.ts'
import { type Synthesize, synthesizer } from './speech/synthesize.ts'

/** What a node holds open for voice messaging. */
export interface Held {
  /** By which calls go out. */
  readonly line: Line
  readonly synthesize: Synthesize
  /** The calls that are under way. */
  readonly board: Board
}

export const startWith =
  (settings: VoiceSettings) =>
  (_: Platform, onStop: OnStop): Held => {
    const trunk = settings.trunk && openTrunk(settings.trunk, settings)
    onStop(() => trunk?.[Symbol.asyncDispose]())
    return { line: trunk?.line ?? sinkLine, synthesize: synthesizer(), board: newBoard() }
  }
