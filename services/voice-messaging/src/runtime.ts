import { type Sending, startSending } from '@icosa/delivery'
import type { OnStop, Platform } from '@icosa/kernel'
import { type ActiveCalls, noActiveCalls } from './dialing/active-calls.ts'
import type { Line } from './lines/line.ts'
import { noLine } from './lines/none.ts'
import { sinkLine } from './lines/sink.ts'
import { openTrunk } from './lines/trunk.ts'
import { isSimulated, type VoiceSettings } from './settings.ts'
import { type Synthesize, synthesizer } from './speech/synthesize.ts'

export interface ServiceRuntime extends Sending {
  readonly line: Line
  readonly synthesize: Synthesize
  readonly activeCalls: ActiveCalls
}

export const startWith =
  (settings: VoiceSettings) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const trunk = settings.trunk && openTrunk(settings.trunk, settings)
    onStop(() => trunk?.[Symbol.asyncDispose]())
    return {
      line: trunk?.line ?? (isSimulated(settings) ? sinkLine : noLine),
      synthesize: synthesizer(settings.engine),
      activeCalls: noActiveCalls(),
      ...startSending(platform, onStop),
    }
  }
