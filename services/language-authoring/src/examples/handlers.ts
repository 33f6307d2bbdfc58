import { type Context, created, Failure, implement, ok } from '@icosa/kernel'
import { maxExamples } from '../exchange/read.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { tooMany, unknown } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { findVersion, lockVersion, readVersion } from '../versions/edit.ts'
import * as versionStore from '../versions/store.ts'
import { examples as contract } from './contract.ts'
import { exampleReader } from './label.ts'
import * as store from './store.ts'
import { exampleViewer } from './view.ts'

/** Stores examples; one with an existing text replaces it. Returns their ids in order. */
async function putExamples(
  context: Context,
  uid: string,
  all: readonly Omit<store.Example, 'id'>[],
): Promise<number[]> {
  const { db, caller, clock } = context
  const idByText = await store.idsOf(
    db,
    caller.tenant,
    uid,
    all.map(({ text }) => text),
  )
  const newTexts = new Set(all.map(({ text }) => text).filter((text) => !idByText.has(text)))
  if ((await store.count(db, caller.tenant, uid)) + newTexts.size > maxExamples) tooMany('utterances', maxExamples)
  let next = await versionStore.touch(db, caller.tenant, uid, clock.now(), newTexts.size)
  for (const text of newTexts) idByText.set(text, next++)
  const byId = new Map(all.map((example) => [idByText.get(example.text) as number, example]))
  await store.put(
    db,
    caller.tenant,
    uid,
    [...byId].map(([id, example]) => ({ id, ...example })),
  )
  return all.map(({ text }) => idByText.get(text) as number)
}

export const examples = implement<typeof contract, ServiceRuntime>(contract, {
  async add({ params, body }, context) {
    const { uid, content } = await lockVersion(context, params)
    const [id] = await putExamples(context, uid, [exampleReader(content)(body)])
    return created({ UtteranceText: body.text, ExampleId: id as number })
  },

  async batch({ params, body }, context) {
    const { uid, content } = await lockVersion(context, params)
    const readExample = exampleReader(content)
    const outcomes = body.map((value) => {
      try {
        return { example: readExample(value) }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return { message: error.message }
      }
    })
    const ids = await putExamples(
      context,
      uid,
      outcomes.flatMap(({ example }) => example ?? []),
    )
    const results = outcomes.map(({ example, message }, index) =>
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
    return results.some(({ hasError }) => hasError) ? { status: 207, body: results } : created(results)
  },

  async list({ params, query }, context) {
    const { db, caller, runtime, signal } = context
    const version = await readVersion(context, params)
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
    const { uid } = await findVersion(context, params)
    if (!(await store.remove(db, caller.tenant, uid, Number(params.exampleId)))) unknown('example', params.exampleId)
    await versionStore.touch(db, caller.tenant, uid, clock.now())
    return done()
  },
})
