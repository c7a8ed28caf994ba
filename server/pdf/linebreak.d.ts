/** The package has no types. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    /** Returns the next position at which a line may end; the last one is the end of the text. */
    nextBreak(): { position: number; required: boolean } | null
  }
}
