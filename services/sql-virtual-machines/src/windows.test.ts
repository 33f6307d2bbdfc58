import { expect, test } from 'vitest'
import { backupWindow, patchingWindow } from './windows.ts'

// 2026-11-15 is a Sunday.
test.each([
  ['2026-11-15T01:59:59Z', undefined],
  ['2026-11-15T02:00:00Z', '2026-11-15T02:00:00.000Z'],
  ['2026-11-15T02:59:59Z', '2026-11-15T02:00:00.000Z'],
  ['2026-11-15T03:00:00Z', undefined],
  ['2026-11-16T02:30:00Z', undefined],
])('patching at %s: %s', (now, expected) => {
  expect(patchingWindow({ enable: true }, new Date(now))?.toISOString()).toBe(expected)
  expect(patchingWindow({ enable: false }, new Date(now))).toBeUndefined()
})

test('a window may extend into the next day', () => {
  const late = {
    enable: true,
    dayOfWeek: 'Sunday',
    maintenanceWindowStartingHour: 23,
    maintenanceWindowDuration: 180,
  } as const
  expect(patchingWindow(late, new Date('2026-11-16T01:30:00Z'))?.toISOString()).toBe('2026-11-15T23:00:00.000Z')
  expect(patchingWindow(late, new Date('2026-11-16T02:00:00Z'))).toBeUndefined()
})

test.each([
  [{ fullBackupStartTime: 22, fullBackupWindowHours: 4 }, '2026-11-18T01:00:00Z', '2026-11-17T22:00:00.000Z'],
  [{ fullBackupStartTime: 22, fullBackupWindowHours: 4 }, '2026-11-18T02:00:00Z', undefined],
  [{ fullBackupFrequency: 'Weekly', fullBackupStartTime: 1 }, '2026-11-15T01:30:00Z', '2026-11-15T01:00:00.000Z'],
  [{ fullBackupFrequency: 'Weekly', fullBackupStartTime: 1 }, '2026-11-16T01:30:00Z', undefined],
  [{ backupScheduleType: 'Automated' }, '2026-11-18T17:00:00Z', '2026-11-18T00:00:00.000Z'],
] as const)('backups %j at %s: %s', (settings, now, expected) => {
  expect(backupWindow({ enable: true, ...settings }, new Date(now), new Date(now))?.toISOString()).toBe(expected)
})

const dawn = { enable: true, fullBackupStartTime: 3 } as const
test.each([
  [dawn, '2026-11-17T21:02:00Z', '2026-11-18T09:02:00Z', '2026-11-18T03:00:00.000Z'],
  [dawn, '2026-11-18T05:30:00Z', '2026-11-18T09:02:00Z', undefined],
  [dawn, '2026-11-01T00:00:00Z', '2026-11-18T02:59:00Z', '2026-11-17T03:00:00.000Z'],
  [
    { ...dawn, fullBackupFrequency: 'Weekly' },
    '2026-11-01T00:00:00Z',
    '2026-11-18T09:00:00Z',
    '2026-11-15T03:00:00.000Z',
  ],
  [{ ...dawn, fullBackupFrequency: 'Weekly' }, '2026-11-16T00:00:00Z', '2026-11-18T09:00:00Z', undefined],
  [{ ...dawn, enable: false }, '2026-11-01T00:00:00Z', '2026-11-18T09:00:00Z', undefined],
] as const)('a window of %j, set at %s and missed, at %s: %s', (settings, setAt, now, expected) => {
  expect(backupWindow(settings, new Date(setAt), new Date(now))?.toISOString()).toBe(expected)
})
