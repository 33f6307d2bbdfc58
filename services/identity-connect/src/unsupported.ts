import type { Gaps } from '@icosa/module'

export const unsupported = {
  push: {
    name: 'the scope `vendor:push`',
    answer: 'no effect',
    instead: 'It asked people for a consent from which nothing would follow.',
  },
  formats: {
    name: 'tokens, claims and OAuth errors as forms, HTML or `application/problem+json`',
    answer: 'no effect',
    instead: 'They are JSON, whatever `Accept` says.',
  },
  app: {
    name: "signing in with the maker's app",
    answer: 'differs',
    instead: 'People sign in with a password or a passkey.',
  },
  dashboard: {
    name: 'the dashboard for clients',
    answer: 'differs',
    instead: 'Clients are registered with `POST /client`.',
  },
  registrationToken: {
    name: 'registration tokens for `/client`',
    answer: 'differs',
    instead: 'Use a key of the platform, or a token for it.',
  },
  prompt: {
    name: '`prompt` and `max_age` left out, in the original `login` and 0',
    answer: 'differs',
    instead: 'Whoever is signed in is not asked again, unless the client has a `default_max_age`.',
  },
  modal: {
    name: '`display` `modal` that asks somebody',
    answer: 'differs',
    instead: 'The frame has a button that opens a window: no password or decision is asked for in a frame.',
  },
  names: {
    name: '`given_name` and `family_name` after sign-up',
    answer: 'differs',
    instead:
      'Sign-up asks for one name, which is the claim `name`: no rule splits names right. People fill in the other two at `/account`.',
  },
  phone: {
    name: '`phone_number_verified` true',
    answer: 'never',
    instead: 'Nothing here calls a number.',
  },
} as const satisfies Gaps
