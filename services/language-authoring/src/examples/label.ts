import type { Content, Label } from '../content/content.ts'
import { intentNamed } from '../content/find.ts'
import { Fields } from '../exchange/fields.ts'
import { labelReader, type NamedLabel } from '../exchange/labels.ts'
import { maxExampleLength } from '../exchange/read.ts'
import { badArgument } from '../shapes/failures.ts'
import type { SentLabel } from './contract.ts'
import type { Example } from './store.ts'

export interface NewExample {
  readonly text: string
  readonly intentName?: string | null
  readonly entityLabels?: readonly SentLabel[] | null
}

function parseLabel(label: unknown, at: string, text: string): NamedLabel {
  const fields = new Fields(label, at)
  const end = fields.whole('endCharIndex')
  return {
    name: fields.text('entityName'),
    start: fields.whole('startCharIndex'),
    end: end === text.length ? end - 1 : end, // scripts add the length of the value to its start
    ...(fields.has('role') && { role: fields.text('role') }),
    children: fields.list('children').map((child, index) => parseLabel(child, `${at}.children[${index}]`, text)),
    at,
  }
}

/** Validates labelled examples. */
export function exampleReader(content: Content) {
  const read = labelReader(content)
  const nest = nester(content)
  return ({ text, intentName, entityLabels }: NewExample): Omit<Example, 'id'> => {
    if (text.trim() === '') badArgument('The text is empty.')
    if (text.length > maxExampleLength) badArgument(`The text has more than ${maxExampleLength} characters.`)
    if (!intentName) badArgument('intentName is missing.')
    const intent = intentNamed(content, intentName) ?? badArgument(`There is no intent '${intentName}'.`)
    const labels = (entityLabels ?? []).map((label, index) => parseLabel(label, `entityLabels[${index}]`, text))
    return { text, intent: intent.id, labels: nest(read(labels, text)) }
  }
}

/** Moves labels of parts into those of their wholes. */
function nester({ models }: Content) {
  const parents = new Map<string, { readonly id: string; readonly name: string }>()
  const addParents = (parent: { id: string; name: string; children: Content['models'][number]['children'] }) => {
    for (const child of parent.children) {
      parents.set(child.id, parent)
      addParents(child)
    }
  }
  for (const model of models) if (model.kind === 'entity') addParents(model)

  type Open = { -readonly [K in keyof Label]: Label[K] } & { children?: Open[] }
  return (labels: readonly Label[]): Label[] => {
    const open = structuredClone(labels) as Open[]
    const flat: Open[] = []
    const collect = (all: readonly Open[]) => {
      for (const label of all) {
        flat.push(label)
        collect(label.children ?? [])
      }
    }
    collect(open)
    return open.filter((label) => {
      const parent = parents.get(label.model)
      if (!parent) return true
      const whole = flat.find(
        ({ model, start, end }) => model === parent.id && start <= label.start && end >= label.end,
      )
      if (!whole) return badArgument(`A part is labelled, but not the '${parent.name}' that contains it.`)
      whole.children = [...(whole.children ?? []), label]
      return false
    })
  }
}
