import type { Db } from '@icosa/kernel'
import { type HeldInstance, hold, type InstanceKey } from '../instances/store.ts'
import type { Subject, Subjects } from './subjects.ts'
import type { LocatedMessage } from './work.ts'

/** An instance with the messages that it is to receive. */
export interface Todo {
  readonly subject: Subject
  readonly key: string
  /** Missing if the first message makes it. */
  instance: HeldInstance | undefined
  readonly messages: LocatedMessage[]
}

export interface Collected {
  readonly todo: readonly Todo[]
  /** Instances of models that are gone. Messages for such models are for nobody. */
  readonly orphans: readonly InstanceKey[]
}

/** Holds the instances that messages are for, and adds those whose timers have run out. */
export async function collect(
  db: Db,
  subjects: Subjects,
  messages: readonly LocatedMessage[],
  due: readonly HeldInstance[],
): Promise<Collected> {
  const found = await subjects(
    db,
    distinct(messages.map(({ modelId }) => modelId)),
    distinct(due.map(({ generation }) => generation)),
  )
  const byId = new Map(found.map((subject) => [subject.id, subject]))
  const byGeneration = new Map(found.map((subject) => [subject.generation, subject]))
  const todo = new Map<string, Todo>()
  for (const instance of due) {
    const subject = byGeneration.get(instance.generation)
    if (subject) todo.set(nameOf(instance), { subject, key: instance.key, instance, messages: [] })
  }
  for (const message of messages) {
    const subject = byId.get(message.modelId)
    if (!subject) continue
    const { key } = message
    const name = nameOf({ generation: subject.generation, key })
    const known = todo.get(name)
    if (known) known.messages.push(message)
    else todo.set(name, { subject, key, instance: undefined, messages: [message] })
  }
  const others = [...todo.values()].filter(({ instance }) => !instance).map(keyOf)
  for (const instance of await hold(db, others)) {
    const one = todo.get(nameOf(instance))
    if (one) one.instance = instance
  }
  return { todo: [...todo.values()], orphans: due.filter(({ generation }) => !byGeneration.has(generation)) }
}

const distinct = (values: readonly string[]) => [...new Set(values)]
const nameOf = ({ generation, key }: Pick<InstanceKey, 'generation' | 'key'>) => `${generation} ${key}`
const keyOf = ({ subject: { tenant, generation }, key }: Todo): InstanceKey => ({ tenant, generation, key })
