declare module 'mjml' {
  export default function mjml2html(
    mjml: string,
    /** `fonts`: web fonts that are loaded if a template names them; by default, Google's. */
    options: { validationLevel: 'soft'; keepComments: boolean; fonts: Record<string, string> },
  ): Promise<{ html: string; errors: { formattedMessage: string }[] }>
}
