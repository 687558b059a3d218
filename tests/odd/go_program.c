// odd: the program says by a note that Go's compiler made it
// expect: refused: is a Go program
asm(".pushsection .note.go.buildid, \"a\", @note\n\t"
    ".p2align 2\n\t"
    ".long 3, 4, 4\n\t"
    ".asciz \"Go\"\n\t"
    ".p2align 2\n\t"
    ".long 0\n\t"
    ".popsection");

int main(void) { return 0; }
