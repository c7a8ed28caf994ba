const CHARACTERS_MAX = 254
/** One mailbox, no display name, no list; in ASCII. Linear time for any text. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))+$/

/** Whether a text is one e-mail address and nothing else. */
export const isEmailAddress = (text: string): boolean => text.length <= CHARACTERS_MAX && EMAIL.test(text)
