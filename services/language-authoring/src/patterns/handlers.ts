import { randomUUID } from 'node:crypto'
import { created, implement, ok } from '@icosa/kernel'
import type { Content, PatternRule } from '../content/content.ts'
import { intentNamed, modelOf } from '../content/find.ts'
import { maxPatterns } from '../exchange/read.ts'
import { badArgument, nameTaken, tooMany, unknown } from '../shapes/failures.ts'
import { done, paged } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { demandPattern } from './check.ts'
import { patterns as contract } from './contract.ts'

interface PatternChange {
  readonly id?: string
  readonly pattern?: string
  readonly intent?: string
}

function toRule(content: Content, { id, pattern, intent }: PatternRule) {
  return { id, pattern, intent: content.models.find((model) => model.id === intent)?.name ?? '' }
}

const intentOf = (content: Content, name: string): string =>
  (intentNamed(content, name) ?? badArgument(`There is no intent '${name}'.`)).id

function demandNew(content: Content, pattern: string, intent: string, except?: PatternRule): void {
  demandPattern(content, pattern)
  if (content.patterns.some((rule) => rule !== except && rule.pattern === pattern && rule.intent === intent))
    nameTaken('pattern', pattern)
}

function add(content: Content, body: { readonly pattern: string; readonly intent: string }) {
  const intent = intentOf(content, body.intent)
  demandNew(content, body.pattern, intent)
  if (content.patterns.length >= maxPatterns) tooMany('patterns', maxPatterns)
  const rule = { id: randomUUID(), pattern: body.pattern, intent }
  content.patterns.push(rule)
  return toRule(content, rule)
}

const ruleIn = (content: Content, id: string): PatternRule =>
  content.patterns.find((rule) => rule.id === id) ?? unknown('pattern', id)

function change(content: Content, id: string, body: PatternChange) {
  const rule = ruleIn(content, id)
  const { pattern = rule.pattern } = body
  const intent = body.intent === undefined ? rule.intent : intentOf(content, body.intent)
  demandNew(content, pattern, intent, rule)
  Object.assign(rule, { pattern, intent })
  return toRule(content, rule)
}

function remove(content: Content, ids: readonly string[]): void {
  const removed = new Set(ids.map((id) => ruleIn(content, id)))
  content.patterns = content.patterns.filter((rule) => !removed.has(rule))
}

export const patterns = implement(contract, {
  async addPattern({ params, body }, context) {
    return created(await editContent(context, params, (content) => add(content, body)))
  },

  async listPatterns({ params, query }, context) {
    const content = await contentOf(context, params)
    return ok(paged(content.patterns, query).map((rule) => toRule(content, rule)))
  },

  async batchAddPatterns({ params, body }, context) {
    return created(await editContent(context, params, (content) => body.map((pattern) => add(content, pattern))))
  },

  async updatePatterns({ params, body }, context) {
    return ok(
      await editContent(context, params, (content) =>
        body.map((pattern) => change(content, pattern.id ?? badArgument('A pattern has no id.'), pattern)),
      ),
    )
  },

  async deletePatterns({ params, body }, context) {
    await editContent(context, params, (content) => remove(content, body))
    return done()
  },

  async updatePattern({ params, body }, context) {
    return ok(
      await editContent(context, params, (content) => {
        const { id = params.patternId } = body
        if (id !== params.patternId) badArgument('The id in the body is that of another pattern.')
        return change(content, id, body)
      }),
    )
  },

  async deletePattern({ params }, context) {
    await editContent(context, params, (content) => remove(content, [params.patternId]))
    return done()
  },

  async listIntentPatterns({ params, query }, context) {
    const content = await contentOf(context, params)
    const { id } = modelOf(content, 'intent', params.intentId)
    return ok(
      paged(
        content.patterns.filter(({ intent }) => intent === id),
        query,
      ).map((rule) => toRule(content, rule)),
    )
  },
})
