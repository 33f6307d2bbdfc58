import { movesBy } from '@icosa/kernel'
import { namesOf } from './moves-store.ts'

/** Machines are processes with ports and folders of a node, which belongs to one cell. */
export const moves = movesBy({
  async obstacles({ from: { cell, database } }, tenant) {
    const [machines, groups] = await Promise.all([
      namesOf(database, 'machines', tenant),
      namesOf(database, 'groups', tenant),
    ])
    return [
      ...machines.map(
        (name) =>
          `The virtual machine '${name}' runs on a node of ${cell}: back it up, delete it, and restore it after the move.`,
      ),
      ...groups.map(
        (name) =>
          `The group '${name}' of virtual machines runs on nodes of ${cell}: delete it, and create it again after the move.`,
      ),
    ]
  },
})
