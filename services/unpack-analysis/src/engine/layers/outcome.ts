import type { Layer } from '../report.ts'
import type { Stopped } from '../stopped.ts'
import type { Transition } from './layers.ts'

export interface Outcome {
  /** The moment at which the program was whole. */
  readonly chosen?: Transition
  readonly why: string
  readonly layers: readonly Layer[]
}

/**
 * Of the moments at which a program went to code of its own making, the last one is where the original began. A call that came
 * back was only a function of the program, such as one for a thread's data, unless nothing followed it.
 */
export function outcomeOf(transitions: readonly Transition[], stopped: Stopped): Outcome {
  const usable = transitions.filter(({ memory }) => memory.size > 0)
  const lasting = usable.filter(({ hasReturned }) => !hasReturned)
  const inProgram = lasting.findLast(({ region }) => region.kind === 'image')
  const chosen = lasting.length === 0 ? usable.at(-1) : latest(inProgram, lasting.at(-1))
  const lasted = transitions.filter((one) => !one.hasReturned || one === chosen)
  const layers = lasted.map(
    ({ target, region, isCall, calls }): Layer => ({
      address: target,
      where: region.name,
      how: isCall ? 'call' : 'jump',
      afterCalls: calls,
    }),
  )
  return { ...(chosen && { chosen }), layers, why: chosen ? '' : whyNot(stopped) }
}

/** Code in allocated memory, called from the program once that was whole, is no layer but what the program does. */
function latest(inProgram: Transition | undefined, last: Transition | undefined): Transition | undefined {
  if (!inProgram || !last || last === inProgram) return last
  return last.region.kind === 'heap' && startsProgram(last) ? last : inProgram
}

const startsProgram = ({ memory, region }: Transition) => memory.get(region)?.toString('latin1', 0, 2) === 'MZ'

function whyNot({ why, text }: Stopped): string {
  if (why === 'limit')
    return `A limit ended the emulation before anything was unpacked: ${text}. The program may well be packed.`
  const end = `Its emulation ended because ${text}.`
  if (why === 'fault')
    return `Nothing was unpacked. ${end} The program may be packed in a way that this engine does not follow.`
  return `Nothing was unpacked: the program runs from its own entry point without writing code. ${end}`
}
