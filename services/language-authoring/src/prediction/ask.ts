import { Failure, type ReadingContext } from '@icosa/kernel'
import type { Prediction, Query } from '../engine/results.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Place } from './published.ts'
import type { Answering } from './published-store.ts'

export interface Answer {
  readonly answering: Answering
  readonly prediction: Prediction
}

/** Queries a published model of the caller, or a public one of another tenant. */
export async function ask(
  context: ReadingContext<ServiceRuntime>,
  app: string,
  place: Place,
  query: Query,
): Promise<Answer> {
  const { runtime, signal, clock } = context
  const { timezoneOffset = 0, datetimeReference = new Date(clock.now().getTime() + timezoneOffset * 60_000) } = query
  const answer = async (answering: Answering | undefined): Promise<Answer> => {
    if (!answering || !mayAsk(context, answering)) return notPublished(app, place)
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
    // Another model was published within the last second, and this one is already deleted.
    if (!(error instanceof Failure) || error.kind !== 'notFound') throw error
    return answer(await runtime.published.fresh(app, place))
  }
}

const mayAsk = ({ caller }: ReadingContext, { tenant, isPublic }: Answering) => tenant === caller.tenant || isPublic

/** Checks that the app is published, before the query is validated. */
export async function demandPublished(
  context: ReadingContext<ServiceRuntime>,
  app: string,
  place: Place,
): Promise<void> {
  const answering = await context.runtime.published.at(app, place)
  if (!answering || !mayAsk(context, answering)) notPublished(app, place)
}

function notPublished(app: string, place: Place): never {
  const target =
    'slot' in place ? `in its slot '${place.slot}'` : `as its version '${place.version}', or that was never trained`
  throw new Failure('notFound', `The app '${app}' was not found, or nothing is published ${target}.`, {
    code: 'NotFound',
  })
}
