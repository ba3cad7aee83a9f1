/* Prints what the engine of the package makes of texts that end in a NUL: `engine MODEL tokens|vectors < TEXTS`. */
#include "e5.c"

int main(int count, char **words) {
    e5_model *model = count == 3 ? e5_load(words[1]) : NULL;
    if (!model) return 1;
    size_t room = 1 << 24;
    char *texts = malloc(room), *end = texts + fread(texts, 1, room, stdin);
    for (char *text = texts; text < end; text += strlen(text) + 1) {
        if (words[2][0] == 't') {
            int ids[4096], found = tok_content(&model->tok, text, ids, 4096);
            for (int i = 0; i < found; i++) printf("%d ", ids[i]);
            printf("\n");
        } else {
            float vector[384];
            e5_embed(model, text, 1, vector);
            fwrite(vector, sizeof vector, 1, stdout);
        }
    }
    return 0;
}
