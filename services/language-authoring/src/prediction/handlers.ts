import { checkStorable, implement, ok, type ReadingContext } from '@icosa/kernel'
import type { Query } from '../engine/results.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { badArgument } from '../shapes/failures.ts'
import { ask, demandPublished } from './ask.ts'
import { prediction as contract, olderPrediction as olderContract } from './contract.ts'
import type { Place } from './published.ts'
import type { Answering } from './published-store.ts'
import { toOlderAnswer } from './v2.ts'
import { toAnswer } from './v3.ts'

type Question = NonNullable<(typeof contract)['getSlotPrediction']['body']>['~static']

interface Options {
  readonly verbose?: boolean
  readonly 'show-all-intents'?: boolean
  readonly log?: boolean
}

function queryOf({ query, options = {}, externalEntities, dynamicLists }: Question): Query {
  const { datetimeReference, preferExternalEntities } = options
  const at = datetimeReference === undefined ? undefined : new Date(datetimeReference)
  if (at && Number.isNaN(at.getTime()))
    badArgument(`options.datetimeReference '${datetimeReference}' is not a date and time.`)
  for (const { entityName, startIndex, entityLength } of externalEntities ?? [])
    if (startIndex + entityLength > query.length) badArgument(`The external entity '${entityName}' is not in the text.`)
  return {
    query,
    ...(at && { datetimeReference: at }),
    ...(externalEntities && { externalEntities }),
    ...(dynamicLists && { dynamicLists }),
    ...(preferExternalEntities !== undefined && { preferExternalEntities }),
  }
}

async function answer(
  context: ReadingContext<ServiceRuntime>,
  app: string,
  place: Place,
  question: Question,
  options: Options,
) {
  const { answering, prediction } = await ask(context, app, place, queryOf(question))
  const view = { isVerbose: options.verbose === true, hasAllIntents: options['show-all-intents'] === true }
  const response = toAnswer(prediction, view)
  context.runtime.queryLog.record(
    answering,
    isLogged(context, answering, options.log) ? { query: question.query, answer: response } : undefined,
  )
  return ok(response)
}

/** Queries of other tenants are only counted: the log is the owner's. */
const isLogged = ({ caller }: ReadingContext, { tenant }: Answering, log = false): boolean =>
  log && caller.tenant === tenant

const slotOf = (name: string): Place => ({ slot: name.toLowerCase() })

export const prediction = implement<typeof contract, ServiceRuntime>(contract, {
  getSlotPrediction: ({ params, query, body }, context) =>
    answer(context, params.appId, slotOf(params.slotName), body, query),
  getSlotPredictionGET: ({ params, query }, context) =>
    answer(context, params.appId, slotOf(params.slotName), { query: query.query }, query),
  getVersionPrediction: ({ params, query, body }, context) =>
    answer(context, params.appId, { version: params.versionId }, body, query),
  getVersionPredictionGET: ({ params, query }, context) =>
    answer(context, params.appId, { version: params.versionId }, { query: query.query }, query),
})

interface OlderOptions {
  readonly timezoneOffset?: number
  readonly verbose?: boolean
  readonly staging?: boolean
  readonly log?: boolean
}

const olderPlace = ({ staging = false }: OlderOptions): Place => ({ slot: staging ? 'staging' : 'production' })

/** Reads plain text, or a JSON string. */
function textOf({ mediaType, content }: { readonly mediaType: string; readonly content: Uint8Array }): string {
  const text = Buffer.from(content).toString('utf8')
  const query = mediaType.startsWith('text/plain') ? text : parsed(text)
  if (typeof query !== 'string' || query === '' || query.length > 500)
    return badArgument('The body must be a JSON string of 1 to 500 characters: "turn on the light".')
  checkStorable(query)
  return query
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function answerOlder(context: ReadingContext<ServiceRuntime>, app: string, text: string, options: OlderOptions) {
  const { timezoneOffset, verbose = false, log = false } = options
  const query = { query: text, ...(timezoneOffset !== undefined && { timezoneOffset }) }
  const { answering, prediction: result } = await ask(context, app, olderPlace(options), query)
  const response = toOlderAnswer(result, verbose)
  const entry = isLogged(context, answering, log) ? { query: text, answer: response } : undefined
  context.runtime.queryLog.record(answering, entry)
  return ok(response)
}

export const olderPrediction = implement<typeof olderContract, ServiceRuntime>(olderContract, {
  async resolve({ params: { appId }, query, body }, context) {
    await demandPublished(context, appId, olderPlace(query))
    return answerOlder(context, appId, textOf(body), query)
  },
  resolveGET: ({ params, query }, context) => answerOlder(context, params.appId, query.q, query),
})
