import { job, type Service } from '@icosa/kernel'
import { example } from '@icosa/testing'
import { countPublication } from '../../packages/testing/src/example/notes/store.ts'

/** Blocks the event loop of its node, then writes. */
export const burnJob = (burnMs: number) =>
  job<{ readonly noteId: string }>('burn', {
    async run({ noteId }, { tenant }) {
      const endsAt = performance.now() + burnMs
      while (performance.now() < endsAt);
      return (db) => countPublication(db, tenant, noteId)
    },
  })

export const burning = (burnMs: number): Service => ({ ...example, jobs: [...(example.jobs ?? []), burnJob(burnMs)] })
