import { type Moves, movesBy } from '@icosa/kernel'
import { moduleNames } from './modules/store.ts'
import type { HsmSettings } from './settings.ts'

/**
 * Tokens of SoftHSM are rows: their files and PINs are sealed under keys of the tenant, which are wrapped for the other cell. A
 * device keeps its keys.
 */
export const movesOf = ({ keeps, library }: Pick<HsmSettings, 'keeps' | 'library'>): Moves =>
  movesBy<Pick<HsmSettings, 'keeps' | 'library'>>({
    place: { keeps, library },
    async obstacles({ from, to }, tenant) {
      const device = [from, to].find(({ place }) => place.keeps === 'library')
      if (!device) return []
      const names = await moduleNames(from.database, tenant)
      return names.map((name) =>
        device === from
          ? `The keys of the hardware security module '${name}' are in a device of ${device.cell}: wrap those that can be exported, delete it, and unwrap them into a new module after the move.`
          : `The hardware security module '${name}' cannot get into the device of ${device.cell}: delete it, and create it again after the move.`,
      )
    },
  })
