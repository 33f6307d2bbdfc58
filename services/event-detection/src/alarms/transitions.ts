import type { AlarmStateName, CustomerAction } from './types.ts'

/** Next state after a user action, from any state. */
export const afterAction: Readonly<Record<CustomerAction['actionName'], AlarmStateName>> = {
  ACKNOWLEDGE: 'ACKNOWLEDGED',
  DISABLE: 'DISABLED',
  ENABLE: 'NORMAL',
  RESET: 'NORMAL',
  SNOOZE: 'SNOOZE_DISABLED',
}

/** Next state after new data. */
export function afterData(stateName: AlarmStateName, isTrue: boolean, acknowledged: boolean): AlarmStateName {
  switch (stateName) {
    case 'NORMAL':
      return isTrue ? 'ACTIVE' : 'NORMAL'
    case 'ACTIVE':
      return isTrue ? 'ACTIVE' : acknowledged ? 'LATCHED' : 'NORMAL'
    case 'LATCHED':
      return isTrue ? 'ACTIVE' : 'LATCHED'
    case 'ACKNOWLEDGED':
      return isTrue ? 'ACKNOWLEDGED' : 'NORMAL'
    case 'DISABLED':
    case 'SNOOZE_DISABLED':
      return stateName
  }
}

/** Whether an alarm in this state evaluates data. */
export const isWatching = (stateName: AlarmStateName): boolean =>
  stateName !== 'DISABLED' && stateName !== 'SNOOZE_DISABLED'
