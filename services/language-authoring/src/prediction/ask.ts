import { Failure, type ReadingContext } from '@icosa/kernel'
import type { Prediction, Query } from '../engine/results.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Place } from './published.ts'
import type { Answering } from './published-store.ts'

export interface Asked {
  readonly answering: Answering
  readonly prediction: Prediction
}

/** Asks what is there: of the caller, or of somebody who lets everybody ask. */
export async function ask(
  context: ReadingContext<ServiceRuntime>,
  app: string,
  place: Place,
  query: Query,
): Promise<Asked> {
  const { runtime, signal, clock } = context
  const { timezoneOffset = 0, datetimeReference = new Date(clock.now().getTime() + timezoneOffset * 60_000) } = query
  const answer = async (answering: Answering | undefined): Promise<Asked> => {
    if (!answering || !mayAsk(context, answering)) return nothingThere(app, place)
    const [prediction] = await runtime.predictor.predictAll(
      answering.tenant,
      answering.model,
      [{ ...query, datetimeReference }],
      signal,
    )
    return { answering, prediction: prediction as Prediction }
  }
  try {
    return await answer(await runtime.published.at(app, place))
  } catch (error) {
    // Another model was published within the last second, and this one is gone already.
    if (!(error instanceof Failure) || error.kind !== 'notFound') throw error
    return answer(await runtime.published.fresh(app, place))
  }
}

const mayAsk = ({ caller }: ReadingContext, { tenant, isPublic }: Answering) => tenant === caller.tenant || isPublic

/** Before the question itself is looked at. */
export async function demandThere(context: ReadingContext<ServiceRuntime>, app: string, place: Place): Promise<void> {
  const answering = await context.runtime.published.at(app, place)
  if (!answering || !mayAsk(context, answering)) nothingThere(app, place)
}

function nothingThere(app: string, place: Place): never {
  const what =
    'slot' in place ? `in its slot '${place.slot}'` : `as its version '${place.version}', or that was never trained`
  throw new Failure('notFound', `The app '${app}' was not found, or nothing is published ${what}.`, {
    code: 'NotFound',
  })
}
