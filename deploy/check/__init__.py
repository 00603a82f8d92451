"""Are the configurations of this folder what the programs that read them take?"""
