import { type Context, created, Failure, implement, ok } from '@icosa/kernel'
import { maxExamples } from '../exchange/read.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { tooMany, unknown } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { found, locked, read } from '../versions/edit.ts'
import * as versionStore from '../versions/store.ts'
import { examples as contract } from './contract.ts'
import { exampleReader } from './label.ts'
import * as store from './store.ts'
import { exampleViewer } from './view.ts'

/** Keeps examples; one whose text is there already takes its place. Answers their ids, in their order. */
async function keep(context: Context, uid: string, all: readonly Omit<store.Example, 'id'>[]): Promise<number[]> {
  const { db, caller, clock } = context
  const known = await store.idsOf(
    db,
    caller.tenant,
    uid,
    all.map(({ text }) => text),
  )
  const fresh = new Set(all.map(({ text }) => text).filter((text) => !known.has(text)))
  if ((await store.count(db, caller.tenant, uid)) + fresh.size > maxExamples) tooMany('utterances', maxExamples)
  let next = await versionStore.touch(db, caller.tenant, uid, clock.now(), fresh.size)
  for (const text of fresh) known.set(text, next++)
  const byId = new Map(all.map((one) => [known.get(one.text) as number, one]))
  await store.put(
    db,
    caller.tenant,
    uid,
    [...byId].map(([id, one]) => ({ id, ...one })),
  )
  return all.map(({ text }) => known.get(text) as number)
}

export const examples = implement<typeof contract, ServiceRuntime>(contract, {
  async add({ params, body }, context) {
    const { uid, content } = await locked(context, params)
    const [id] = await keep(context, uid, [exampleReader(content)(body)])
    return created({ UtteranceText: body.text, ExampleId: id as number })
  },

  async batch({ params, body }, context) {
    const { uid, content } = await locked(context, params)
    const readOne = exampleReader(content)
    const outcomes = body.map((sent) => {
      try {
        return { example: readOne(sent) }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return { message: error.message }
      }
    })
    const ids = await keep(
      context,
      uid,
      outcomes.flatMap(({ example }) => example ?? []),
    )
    const answers = outcomes.map(({ example, message }, index) =>
      example
        ? { value: { UtteranceText: example.text, ExampleId: ids.shift() as number }, hasError: false }
        : {
            hasError: true,
            error: {
              code: 'FAILED' as const,
              message: `Example ${index}, '${body[index]?.text.slice(0, 100)}': ${message}`,
            },
          },
    )
    return answers.some(({ hasError }) => hasError) ? { status: 207, body: answers } : created(answers)
  },

  async list({ params, query }, context) {
    const { db, caller, runtime, signal } = context
    const version = await read(context, params)
    const view = exampleViewer(version.content, query.enableNestedChildren)
    const rows = await store.list(db, caller.tenant, version.uid, query)
    const predictions = version.model
      ? await runtime.predictor.predictAll(
          caller.tenant,
          version.model,
          rows.map(({ text }) => ({ query: text })),
          signal,
        )
      : []
    return ok(rows.map((row, index) => view(row, predictions[index])))
  },

  async delete({ params }, context) {
    const { db, caller, clock } = context
    const { uid } = await found(context, params)
    if (!(await store.remove(db, caller.tenant, uid, Number(params.exampleId)))) unknown('example', params.exampleId)
    await versionStore.touch(db, caller.tenant, uid, clock.now())
    return done()
  },
})
