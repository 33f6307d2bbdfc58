import { expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import { type Archived, windowOf } from './window.ts'

const day = (n: number) => new Date(n * 86_400_000)
const settings = { ...defaultSettings, archiveUrl: 'postgres://x', retentionDays: 35 }
const archived: Archived = {
  objective: 'S0',
  host: '7',
  hostSince: day(100),
  droppedAt: null,
  archivedFrom: day(50),
  archivedTo: day(200),
}
const window = (more: Partial<Archived>, days = 35) =>
  windowOf({ ...archived, ...more }, { ...settings, retentionDays: days }, day(200))

test('a database can be restored for the retention of its tier, and not to before it was there', () => {
  expect(window({})).toEqual({ from: day(165), to: day(200) })
  expect(window({ objective: 'Basic' })).toEqual({ from: day(193), to: day(200) })
  expect(window({ objective: 'Free' }, 3)).toEqual({ from: day(197), to: day(200) })
  expect(window({ hostSince: day(190) })).toEqual({ from: day(190), to: day(200) })
  expect(window({ archivedFrom: day(180) })).toEqual({ from: day(180), to: day(200) })
})

test('a deleted database can be restored to times before its deletion, as long as these are retained', () => {
  expect(window({ droppedAt: day(180) })).toEqual({ from: day(165), to: day(180) })
  expect(window({ droppedAt: day(164) })).toBeUndefined()
  expect(window({ droppedAt: day(192), objective: 'Basic' })).toBeUndefined()
  expect(window({ droppedAt: day(201) }), 'not archived yet').toEqual({ from: day(165), to: day(200) })
})

test('a database that is not archived cannot be restored', () => {
  expect(window({ hostSince: null })).toBeUndefined()
  expect(window({ archivedFrom: null, archivedTo: null }), 'before the first base backup').toBeUndefined()
  expect(window({}, 0)).toBeUndefined()
  expect(windowOf(archived, { ...settings, archiveUrl: undefined }, day(200))).toBeUndefined()
})
