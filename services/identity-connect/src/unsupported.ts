import type { Gaps } from '@icosa/module'

export const unsupported = {
  push: {
    name: 'the scope `vendor:push`',
    answer: 'no effect',
    instead: 'Users would consent to something without effect.',
  },
  formats: {
    name: 'tokens, claims and OAuth errors as forms, HTML or `application/problem+json`',
    answer: 'no effect',
    instead: 'Always JSON, regardless of `Accept`.',
  },
  app: {
    name: "sign-in with the vendor's app",
    answer: 'differs',
    instead: 'Users sign in with a password or a passkey.',
  },
  dashboard: {
    name: 'a dashboard for clients',
    answer: 'differs',
    instead: 'Clients are registered with `POST /client`.',
  },
  registrationToken: {
    name: 'registration tokens for `/client`',
    answer: 'differs',
    instead: 'Use a platform key or token.',
  },
  prompt: {
    name: 'omitted `prompt` and `max_age`, which default to `login` and 0 in the original',
    answer: 'differs',
    instead: 'Signed-in users are not prompted again, unless the client has a `default_max_age`.',
  },
  modal: {
    name: 'prompts with `display` `modal`',
    answer: 'differs',
    instead: 'The frame has a button that opens a window: there are no prompts in a frame.',
  },
  names: {
    name: '`given_name` and `family_name` after sign-up',
    answer: 'differs',
    instead:
      'Sign-up asks for one name, the claim `name`, since names cannot be split reliably. Users add the other two at `/account`.',
  },
  phone: {
    name: '`phone_number_verified` true',
    answer: 'never',
    instead: 'Phone numbers are not verified.',
  },
} as const satisfies Gaps
