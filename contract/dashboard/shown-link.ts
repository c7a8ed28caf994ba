import Type, { type Static } from 'typebox'

/** A link that grants access to whoever has it, and the session or object that it opens. */
const ShownLink = Type.Object({ object: Type.Literal('link'), url: Type.String({ format: 'url' }) })
export type ShownLink = Static<typeof ShownLink>
