import { group, setting, text, type ValuesOf } from '@icosa/settings'

/** Credentials of `icosa robotics mirror` on the other server. */
export const settings = group({
  mirrorUser: setting('ICOSA_ROBOTICS_MIRROR_USER', text({ is: 'a text' }), {
    otherwise: 'the mirror sends no user name',
    example: 'scouts',
    meaning: 'The user name with which `icosa robotics mirror` signs in to the other server.',
  }),
  mirrorKey: setting('ICOSA_ROBOTICS_MIRROR_KEY', text({ is: 'a text' }), {
    secret: true,
    otherwise: 'the mirror sends no key',
    meaning: 'The key that belongs to it.',
  }),
})

export type RoboticsSettings = ValuesOf<typeof settings>
